/** Where submitters wait, each until what it waits for is there; all look again whenever something has changed. */
export class WaitingRoom {
  #waiting: (() => void)[] = [];

  /** Settles when it need not wait any longer. */
  async while(waits: () => boolean): Promise<void> {
    while (waits())
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  look(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }
}
