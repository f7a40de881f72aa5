import { useState } from 'preact/hooks'

/** Formats tags as users type them: separated by commas. A tag that contains a comma is in quotation marks. */
export const formatTags = (tags: readonly string[]): string =>
  tags.map((tag) => (tag.includes(',') ? `"${tag}"` : tag)).join(', ')

/** Parses the tags in a string, each once. */
export function parseTags(text: string): string[] {
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
  const [typed, setTyped] = useState(() => formatTags(value))
  return (
    <input
      {...attributes}
      value={typed}
      onInput={(event) => {
        setTyped(event.currentTarget.value)
        onValue(parseTags(event.currentTarget.value))
      }}
    />
  )
}

/**
 * The tags of an object; undefined if it has none.
 * @param list the URL of the list of objects with the same tag, without the tag itself: `/stock/?tags__name=`
 */
export const renderTagLinks = (tags: readonly string[] | undefined, list: string) =>
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
