import type { ErrorMessage } from '../../../kit/values/message.ts'
import { accountErrors } from '../account-errors.ts'
/** Names and address of a user, which a password must not resemble. */
export type Person = { username: string; first_name?: string; last_name?: string; email?: string }

const MIN_PASSWORD_LENGTH = 8
const MAX_PASSWORD_LENGTH = 128

/** Similarity at which a password counts as a form of a name: 1 for the same characters, 0 for none in common. */
const MIN_REJECTED_SIMILARITY = 0.7

/** Names of a person's fields in messages. */
const ATTRIBUTE_NAMES: Record<keyof Person, string> = {
  username: 'username',
  first_name: 'first name',
  last_name: 'last name',
  email: 'email address',
}

let common: Promise<ReadonlySet<string>> | undefined

/** Some 49,000 common passwords, in lower case. The list is unpacked when the first password is set. */
function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']))
  return common
}

/**
 * Validates a new password and returns one error for each violated rule; none when it can be set. Leading and trailing whitespace was trimmed
 * when the body was read.
 */
export async function validatePassword(password: string, person: Person): Promise<ErrorMessage[]> {
  const length = [...password].length
  const problems: ErrorMessage[] = []
  if (length < MIN_PASSWORD_LENGTH) problems.push(accountErrors.password_too_short({ min_length: MIN_PASSWORD_LENGTH }))
  if (length > MAX_PASSWORD_LENGTH) problems.push(accountErrors.password_too_long({ max_length: MAX_PASSWORD_LENGTH }))
  if (/^\p{Nd}+$/u.test(password)) problems.push(accountErrors.password_all_digits)
  if ((await loadCommonPasswords()).has(password.toLowerCase())) problems.push(accountErrors.password_too_common)
  const resembled = (Object.keys(ATTRIBUTE_NAMES) as (keyof Person)[]).find((name) => resembles(password, person[name] ?? ''))
  if (resembled) problems.push(accountErrors.password_too_similar({ attribute: ATTRIBUTE_NAMES[resembled] }))
  return problems
}

/** Whether a password is similar to a string, or to one of its words. */
function resembles(password: string, text: string): boolean {
  const lowerCased = text.toLowerCase()
  const parts = [lowerCased, ...lowerCased.split(/[^\p{L}\p{N}]+/u)]
  return parts.some((part) => part !== '' && computeSimilarity(password.toLowerCase(), part) >= MIN_REJECTED_SIMILARITY)
}

/** Returns the share of characters that two strings have in common, in any order: from 0 to 1. */
function computeSimilarity(first: string, second: string): number {
  const remaining = new Map<string, number>()
  for (const character of second) remaining.set(character, (remaining.get(character) ?? 0) + 1)
  let shared = 0
  for (const character of first) {
    const count = remaining.get(character) ?? 0
    if (count > 0) shared++
    remaining.set(character, count - 1)
  }
  return (2 * shared) / ([...first].length + [...second].length)
}
