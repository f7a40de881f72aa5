/** The name of a resource within a sentence: `Part` is "part", `BOM item` stays. */
export const toNoun = (name: string): string => (/^[A-Z]{2}/.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1))

/** "an email address", "a part". */
export const withArticle = (noun: string): string => `${/^(?!unit|user)[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

/** "companies", "tokens of an account". */
export function pluralize(noun: string): string {
  const [, head = noun, rest = ''] = /^(.+?)( (?:of an|as) .+)?$/.exec(noun) ?? []
  if (/[^aeiou]y$/.test(head)) return `${head.slice(0, -1)}ies${rest}`
  return `${head}${/(?:s|x|ch|sh)$/.test(head) ? 'es' : 's'}${rest}`
}
