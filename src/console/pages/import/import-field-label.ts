import { helpText, label, t } from '../../kit/language/language.ts'
import type { ImportField } from './session-details.ts'

/** The name of a field of a row, in the reader's language. */
export const getFieldLabel = (name: string): string => (name === 'id' ? t('import.key') : label(name))

/** The meaning of a field, in the reader's language. */
export const getFieldHelp = ({ help_text }: ImportField): string => helpText(help_text)
