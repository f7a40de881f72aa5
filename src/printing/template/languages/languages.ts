import { german } from './german.ts'

/** The languages of documents: the locale of their dates and numbers, and their texts by the English ones. */
const LANGUAGES: Readonly<Record<string, { locale: string; texts: Readonly<Record<string, string>> }>> = {
  en: { locale: 'en-GB', texts: {} },
  de: { locale: 'de-DE', texts: german },
}

const findLanguage = (language: string) => (Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language] : undefined)

/** The locale of a language; undefined for one that documents do not have. */
export const getLocale = (language: string): string | undefined => findLanguage(language)?.locale

/** Translates an English text of the built-in documents; a text without a translation stays unchanged. */
export function translateText(text: string, language: string): string {
  const texts = findLanguage(language)?.texts
  return texts && Object.hasOwn(texts, text) ? (texts[text] as string) : text
}
