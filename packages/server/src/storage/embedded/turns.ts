/** Lets those who work on the same thing do so one after another. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does some work once all that was asked for before, for the same name, is over. */
  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(work);
    const ended = turn.catch(() => undefined);
    this.#last.set(name, ended);
    try {
      return await turn;
    } finally {
      if (this.#last.get(name) === ended) this.#last.delete(name);
    }
  }
}
