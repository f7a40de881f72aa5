import { companies } from './de/companies.ts'
import { shell } from './de/shell.ts'
import { signIn } from './de/sign-in.ts'

/** German, as people speak to each other in a workshop. */
export const de = { ...shell, ...signIn, ...companies }
