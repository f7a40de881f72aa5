const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** HTML that escapes every inserted value, unless it is an instance of this class. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Writes HTML: html`<p>${text}</p>`. The items of a list are written in order. */
export const html = (parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html =>
  new Html(String.raw({ raw: parts }, ...values.map((value) => [value].flat().map(toHtml).join(''))))

const toHtml = (value: string | Html): string =>
  value instanceof Html ? value.text : value.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string)
