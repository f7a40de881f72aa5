import { filters as liquidFilters, tags as liquidTags } from 'liquidjs'
import { EXCLUDED_FILTERS } from '../excluded-filters.ts'
import { createFilters, emptyEnvironment } from '../filters/index.ts'
import type { Language } from '../language.ts'
import { customTags } from '../tags.ts'
import { filters } from './filters/index.ts'
import { splitPieces } from './lexer.ts'
import { tags } from './tags/index.ts'

type Sign = Language | undefined

/** Returns the language that has this name; undefined if both or none have it. */
function getOnlyLanguage(name: string, liquid: ReadonlySet<string>, django: ReadonlySet<string>): Sign {
  if (liquid.has(name) === django.has(name)) return undefined
  return liquid.has(name) ? 'liquid' : 'django'
}

const LIQUID_TAGS = new Set([...Object.keys(liquidTags), ...Object.keys(customTags), 'elsif', 'when'])
const DJANGO_TAGS = new Set([...Object.keys(tags), 'elif', 'empty'])
const LIQUID_FILTERS = new Set([
  ...Object.keys(liquidFilters).filter((name) => !EXCLUDED_FILTERS.test(name)),
  ...Object.keys(createFilters(emptyEnvironment)),
])
const DJANGO_FILTERS = new Set(Object.keys(filters))

/** Syntax that only one of the languages has, whatever is looked up or compared; quoted strings are removed first. */
const SYNTAX_SIGNS: readonly (readonly [RegExp, Language])[] = [
  [/^-|-$|\[|\(\d|\bforloop\.(?:r?index0?|length)\b|\b(?:contains|blank|nil)\b/, 'liquid'],
  [/\bforloop\.(?:rev)?counter0?\b|\bparentloop\b|\bblock\.super\b|\.(?:all|isoformat)(?![\w.])/, 'django'],
  [/^(?:el)?if\b.* (?:not|in|is) |^if not |\b(?:True|False|None)\b/, 'django'],
  [/^include\b.*(?: with \w+=| only$)|^for \w+ ?, ?\w+ in |^endblock /, 'django'],
  [/^include\b.*,|^(?:for|include)\b.*\w: /, 'liquid'],
]

/** Syntax that Liquid has too, but that is seldom used in it. */
const WEAK_DJANGO_SIGN = /\b[A-Za-z_]\w*\.\d/

const QUOTED = /"[^"]*"|'[^']*'/g
const FILTER = /\|\s*(\w+)\s*(:\s?)?/g

/**
 * Detects the language of a template: `{% load %}` is Django's; otherwise the first tag, filter or syntax that only one of the two has
 * decides. The spacing of filter arguments (`default:"-"`, `default: "-"`) decides where nothing else does.
 * @param fallback language of a template that is the same in both
 */
export function detectLanguage(source: string, fallback: Language = 'liquid'): Language {
  let sign: Sign
  let weakSign: Sign
  for (const { kind, content } of splitPieces(source)) {
    if (kind === 'text') continue
    if (kind === 'comment') {
      sign ??= 'django'
      continue
    }
    const name = kind === 'tag' ? (/^\w+/.exec(content)?.[0] ?? '') : ''
    if (name === 'load') return 'django'
    if (sign) continue
    const bare = content.replaceAll(QUOTED, '""')
    const syntaxSign = SYNTAX_SIGNS.find(([pattern]) => pattern.test(bare))?.[1]
    sign = (kind === 'tag' ? getOnlyLanguage(name, LIQUID_TAGS, DJANGO_TAGS) : undefined) ?? syntaxSign
    for (const [, filter = '', colon] of bare.matchAll(FILTER)) {
      sign ??= getOnlyLanguage(filter, LIQUID_FILTERS, DJANGO_FILTERS)
      if (colon) weakSign ??= colon === ':' ? 'django' : 'liquid'
    }
    if (WEAK_DJANGO_SIGN.test(bare)) weakSign ??= 'django'
  }
  return sign ?? weakSign ?? fallback
}
