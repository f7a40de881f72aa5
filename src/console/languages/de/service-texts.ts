import type { ServiceTexts } from '../../kit/language/service-texts.ts'
import { errors } from './errors.ts'
import { fields } from './fields.ts'
import { help } from './help.ts'
import { notifications } from './notification-texts.ts'

/** The texts of the service in German. */
export const serviceTexts: ServiceTexts = { help, fields, errors, notifications }
