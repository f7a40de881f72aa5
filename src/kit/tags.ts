import type { Filter } from './filter.ts'
import type { Expression } from './sql.ts'

const slug = (text: string) => `trim(both '-' from regexp_replace(lower(${text}), '[^[:alnum:]]+', '-', 'g'))`

/** Filters of a list of objects with tags: by one tag's name, or by its name as it stands in addresses ("Long lead" is long-lead). */
export const tagFilters: Record<string, Filter> = {
  tags__name: { kind: 'text', sql: '{tags} @> array[{@value}::text]' },
  tags__slug: {
    kind: 'text',
    sql: `exists (select from unnest({tags}) as tag where ${tagSlug('tag')} = {@value})`,
  },
}

/** What a search looks at in tags. */
export const tagSearch: Expression = `array_to_string({tags}, ' ')`
