import { companies } from './en/companies.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'

/** English: a file for each room. These are the words that every language has. */
export const en = { ...shell, ...signIn, ...companies } as const

export type Words = typeof en
