import { dirname } from 'node:path'

const service = dirname(dirname(import.meta.dirname))
const most = 500

/**
 * The message of an error as clients may see it: one line of 500 characters at most, which does not tell where the plugin or the service lies.
 * @param folder that of the plugin
 */
export function failureText(error: unknown, folder: string): string {
  return (
    withoutPaths(messageOf(error), folder)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, most) || 'it says nothing of why'
  )
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  try {
    const message = error instanceof Error ? error.message : error
    return String(message)
  } catch {
    return ''
  }
}

function withoutPaths(text: string, folder: string): string {
  const paths = [folder, service].flatMap((path) => [`file://${path}/`, `${path}/`, path])
  return paths.reduce((rest, path) => rest.replaceAll(path, ''), text)
}
