/**
 * By what results of a test are known, out of the test's name: its letters and digits of any script, and underscores, in small letters. An
 * underscore goes in front of a digit. Empty when the name has none of them.
 */
export function testKey(name: string): string {
  const key = name.toLowerCase().replaceAll(/[^\p{L}\p{N}_]/gu, '')
  return /^[^\p{L}_]/u.test(key) ? `_${key}` : key
}
