type Inserted = string | number | Sentence | Readonly<Record<string, string>>;

/** Makes of an inserted text what may be read; `name` is the field that the text would have in an answer, or empty. */
export type ShowText = (text: string, name: string) => string;

/** A sentence that knows its own words from the texts inserted into them, so that these can be hidden from a demo user. */
export class Sentence {
  readonly #words: readonly string[];
  readonly #inserted: readonly Inserted[];
  constructor(words: readonly string[], inserted: readonly Inserted[]) {
    this.#words = words;
    this.#inserted = inserted;
  }

  toString(show: ShowText = (text) => text): string {
    const shown = this.#inserted.map((part) => {
      if (part instanceof Sentence) return part.toString(show);
      if (typeof part !== "object") return show(String(part), "");
      return Object.entries(part)
        .map(([name, text]) => show(text, name))
        .join(" ");
    });
    return this.#words.map((word, index) => word + (shown[index] ?? "")).join("");
  }
}

/** A text that has a name in answers is inserted under it: say`${{ username }} is suspended`. */
export const say = (words: TemplateStringsArray, ...inserted: Inserted[]): Sentence => new Sentence(words, inserted);
