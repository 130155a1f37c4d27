/** A scenario that cannot be done as it was asked for. The message says what to change. */
export class ScenarioRefusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, status = 400, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
