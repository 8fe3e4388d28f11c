/** One measured figure of the benchmark. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The greatest value that is well; null where it is only told. */
  readonly limit: number | null;
}
