import type { ServiceTexts } from '../../kit/language/service-texts.ts'
import { errors } from './errors.ts'

/** Messages that the service writes for programs, in words for people. Its help is written for people. */
export const serviceTexts: ServiceTexts = { help: {}, fields: {}, errors, notifications: {} }
