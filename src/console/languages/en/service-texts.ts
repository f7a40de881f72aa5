import type { ServiceTexts } from '../../kit/language/service-texts.ts'
import { errors } from './errors.ts'

/** What the service says to programs, for people. Help it says to people. */
export const serviceTexts: ServiceTexts = { help: {}, fields: {}, errors, news: {} }
