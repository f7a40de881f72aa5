import { ROOT } from '../paths.ts'
import { getErrorMessage } from './running.ts'

const maxLength = 500

/**
 * The message of an error for clients: one line of 500 characters at most, which does not disclose the path of the plugin or the service.
 * @param folder the folder of the plugin
 */
export function formatFailure(error: unknown, folder: string): string {
  return (
    removePaths(getErrorMessage(error), folder)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, maxLength) || 'it gives no reason'
  )
}

function removePaths(text: string, folder: string): string {
  const paths = [folder, ROOT].flatMap((path) => [`file://${path}/`, `${path}/`, path])
  return paths.reduce((rest, path) => rest.replaceAll(path, ''), text)
}
