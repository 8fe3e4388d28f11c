/**
 * The toolkit asks, as it loads, whether the browser knows `:focus-visible` by writing an inline style,
 * which our content security policy refuses and the browser reports. Until `endStyleProbe`, such a style
 * is an empty link with a sheet of its own: the question is answered and nothing inline is written.
 */
const real = (name: string): HTMLElement =>
  document.createElementNS("http://www.w3.org/1999/xhtml", name);

Object.defineProperty(document, "createElement", {
  configurable: true,
  value: (name: string) => {
    if (name !== "style") return real(name);
    const stand = real("link");
    Object.defineProperty(stand, "sheet", { value: new CSSStyleSheet() });
    return stand;
  },
});

/** To be called once the toolkit is loaded. */
export function endStyleProbe(): void {
  Reflect.deleteProperty(document, "createElement");
}
