/**
 * Derives the key that identifies a test's results from the test's name: its letters and digits of any script, and underscores, in lower
 * case. A leading digit gets an underscore in front. Empty when the name has none of these characters.
 */
export function toTestKey(name: string): string {
  const key = name.toLowerCase().replaceAll(/[^\p{L}\p{N}_]/gu, '')
  return /^[^\p{L}_]/u.test(key) ? `_${key}` : key
}
