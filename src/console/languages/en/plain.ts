import type { Said } from '../../kit/language/said.ts'
import { help } from './help.ts'
import { refusals } from './refusals.ts'

/** What the service says to programs, for people. */
export const said: Said = { help, fields: {}, texts: refusals }
