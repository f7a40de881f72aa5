import * as input from '../../../kit/definition/input.ts'
import { FieldError } from '../../../kit/request/errors.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { accountErrors } from '../account-errors.ts'

const ALLOWED_CHARACTERS = /^[\p{L}0-9@.+_-]+$/u
const CHARACTERS_ERROR = accountErrors.username_characters
const SCRIPT_ERROR = accountErrors.username_script

/** Latin letters that do not decompose into a to z and an accent, with the letters that they are compared as. */
const LATIN_LOOKALIKES: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  ŧ: 't',
}

/** Reduces a name to the form for comparing similar ones: without case and accents. */
const toSkeleton = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^ -~]/gu, (letter) => LATIN_LOOKALIKES[letter] ?? letter)

/**
 * Defines the input for the user name of a new account: 1 to 150 letters, digits and `@ . + - _`. Other forms of the same characters, such as full-width ones,
 * are normalized; letters that look like others are rejected.
 */
export function createUsernameInput(options: { required?: boolean; help?: string } = {}): input.Input<string> {
  const textInput = input.text({ ...options, max: 150, blank: false })
  return {
    ...textInput,
    read(value, reading, fail) {
      const normalizedName = typeof value === 'string' ? value.normalize('NFKC').trim() : value
      // a text field drops control characters and rejects tags; in a name both are simply invalid characters
      if (typeof normalizedName === 'string' && normalizedName !== '' && !ALLOWED_CHARACTERS.test(normalizedName))
        throw new FieldError(CHARACTERS_ERROR)
      const name = textInput.read(normalizedName, reading, fail)
      if (!/^[ -~]*$/.test(toSkeleton(name))) throw new FieldError(SCRIPT_ERROR)
      return name
    },
  }
}

/** Rules for a user name, for forms. */
export const USERNAME_HELP =
  'The name to sign in with: 1 to 150 Latin letters, digits and any of @ . + - _. It must be unique, ignoring case and accents.'

/** Error for a name that is taken. */
export const NAME_TAKEN = accountErrors.username_taken

/**
 * Whether an account has this name, or one that looks like it. Until the transaction ends, the check of the same name in another
 * transaction waits.
 * @param except account that gets the name
 */
export async function isNameTaken(tx: Tx, name: string, except?: number): Promise<boolean> {
  const normalizedForm = toSkeleton(name)
  // the unique index on names ignores case only for ASCII letters
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('user name ' || $1, 0))`, [normalizedForm])
  const rows = await tx.query<{ username: string }>(
    `select username from user_account where (lower(username) = $1::text collate "C" or username ~ '[^ -~]') and pk is distinct from $2`,
    [normalizedForm, except ?? null],
  )
  return rows.some(({ username }) => toSkeleton(username) === normalizedForm)
}
