import type { Said } from '../../kit/language/said.ts'
import { fields } from './fields.ts'
import { help } from './help.ts'
import { news } from './news.ts'
import { refusals } from './refusals.ts'

/** What the service says, in German. */
export const said: Said = { help, fields, texts: { ...refusals, ...news } }
