import type { Said } from '../../kit/language/said.ts'
import { errors } from './errors.ts'

/** What the service says to programs, for people. Help it says to people. */
export const said: Said = { help: {}, fields: {}, errors, news: {} }
