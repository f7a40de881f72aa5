import type { Said } from '../../kit/language/said.ts'
import { errors } from './errors.ts'
import { fields } from './fields.ts'
import { help } from './help.ts'
import { news } from './news.ts'

/** What the service says, in German. */
export const said: Said = { help, fields, errors, news }
