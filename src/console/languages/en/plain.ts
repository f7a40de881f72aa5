import type { Said } from '../../kit/language/said.ts'
import { errors } from './errors.ts'
import { help } from './help.ts'

/** What the service says to programs, for people. */
export const said: Said = { help, fields: {}, errors, news: {} }
