import { useState } from 'preact/hooks'

/** Tags as they are typed: separated by commas. One that contains a comma is in quotation marks. */
export const textOfTags = (tags: readonly string[]): string =>
  tags.map((tag) => (tag.includes(',') ? `"${tag}"` : tag)).join(', ')

/** The tags in a text, each once. */
export function tagsIn(text: string): string[] {
  const tagTexts = [...text.matchAll(/"([^"]*)"|[^,"]+/g)].map(([whole, quoted]) => (quoted ?? whole).trim())
  return [...new Set(tagTexts.filter(Boolean))]
}

type FieldProperties = {
  value: readonly string[]
  onValue: (tags: string[]) => void
  attributes: Record<string, unknown>
}

/** A text field for the tags of an object. */
export function TagsField({ value, onValue, attributes }: FieldProperties) {
  // typed text stays as it is, such as a trailing comma
  const [typed, setTyped] = useState(() => textOfTags(value))
  return (
    <input
      {...attributes}
      value={typed}
      onInput={(event) => {
        setTyped(event.currentTarget.value)
        onValue(tagsIn(event.currentTarget.value))
      }}
    />
  )
}

/**
 * The tags of an object; undefined if it has none.
 * @param list address of the list of objects with the same tag, up to the tag: `/stock/?tags__name=`
 */
export const tagLinks = (tags: readonly string[] | undefined, list: string) =>
  tags &&
  tags.length > 0 && (
    <span class="badges">
      {tags.map((tag) => (
        <a key={tag} class="badge" href={list + encodeURIComponent(tag)}>
          {tag}
        </a>
      ))}
    </span>
  )
