import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../paths.ts'

/** In the path or the text of a file: it tests what must hold each time, or reads how much stock there is. */
const NEVER =
  /fast-check|\b(storm|kill|model|propert(y|ies)|parallel)\b|\/pages\/(count|stock)\/|\/api\/stock\/|\bstock_item\b|\bin_stock\b/i

/**
 * Whether a test file is a story of the console that may be run once more after it failed. What counts stock is none: there a failure that
 * comes and goes is a fault of the service.
 * @param file its path below the root
 */
export function mayBeRetried(file: string, text?: string): boolean {
  if (!file.startsWith('src/console/') || NEVER.test(file)) return false
  const content = text ?? readFileSync(join(ROOT, file), 'utf8')
  return content.includes('testing/console.ts') && !NEVER.test(content)
}
