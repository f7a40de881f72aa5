import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Expression } from '../sql/sql.ts'
import { foldSql } from '../values/fold-text.ts'
import { column, type Field } from './field.ts'
import type { Filter } from './filter.ts'

/** The tags of an object. */
export const tags = (pgColumn: PgColumn): Field =>
  column(pgColumn, {
    help: 'Search tags, at most 100 of up to 100 characters each; they replace the existing tags.',
  })

/** The same where responses had no tags before API 434: they show them with `tags=true`. */
export const tagsOnRequest = (pgColumn: PgColumn): Field => ({
  ...tags(pgColumn),
  flag: { name: 'tags', list: false, detail: false },
})

/** A tag in the form used in URLs, plain letters, digits and dashes: "Long lead" is long-lead. */
export const tagSlug = (tag: Expression): Expression =>
  `trim(both '-_' from regexp_replace(regexp_replace(lower(normalize(${tag}, NFKD)), '[^a-z0-9_\\s-]', '', 'g'), '[-\\s]+', '-', 'g'))`

const splitTags = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

/** Filters of a list of objects with tags: by the name of one, or by its slug. */
export const tagFilters: Record<string, Filter> = {
  // in API 196 it shows the tags
  tags: {
    kind: 'custom',
    names: { tags: 'For clients of API 530: objects with all of the tags of these names, separated by commas.' },
    read: ({ tags = '' }, { config }) =>
      config.wire.filtersByTag ? { sql: '{tags} @> {@value}::text[]', values: [splitTags(tags)] } : undefined,
  },
  tags__name: { kind: 'text', help: 'Objects with the tag of this name.', sql: '{tags} @> array[{@value}::text]' },
  tags__slug: {
    kind: 'text',
    help: 'Objects with the tag of this slug.',
    sql: `exists (select from unnest({tags}) as tag where ${tagSlug('tag')} = {@value})`,
  },
}

/** Searches tags by their names and their slugs. Few rows have tags, and an index finds those rows. */
export const tagSearch: Expression = `{tags} <> '{}' and exists (select from unnest({tags}) as tag where ${foldSql('tag')} ilike {@value} or ${tagSlug('tag')} ilike {@value})`
