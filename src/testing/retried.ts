import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../paths.ts'

/** Matches the path or the text of a file whose tests must pass each time, or that reads quantities of stock. */
const NEVER_RETRIED_PATTERN =
  /fast-check|\b(storm|kill|model|propert(y|ies)|parallel)\b|\/pages\/(count|stock)\/|\/api\/stock\/|\bstock_item\b|\bin_stock\b/i

/**
 * Whether a test file is a console story that can be retried after a failure. Files that read stock quantities are excluded: a sporadic
 * failure there is a fault of the service.
 * @param file its path below the root
 */
export function canBeRetried(file: string, text?: string): boolean {
  if (!file.startsWith('src/console/') || NEVER_RETRIED_PATTERN.test(file)) return false
  const content = text ?? readFileSync(join(ROOT, file), 'utf8')
  return content.includes('testing/console.ts') && !NEVER_RETRIED_PATTERN.test(content)
}
