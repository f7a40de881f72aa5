import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../paths.ts'
import { canBeRetried } from './retried.ts'

// `node src/testing/retry.ts FAILURES`: retries each failed story of the console once, alone. FAILURES is the file that `npm test` wrote to
// the path in TEST_FAILURES: the number of failed tests by file. A story that passes is flaky: it gets a line in docs/flaky.md. The last
// line of output is the number of failures that passed on retry.

const [failuresFile = ''] = process.argv.slice(2)
const failureCounts = JSON.parse(readFileSync(failuresFile, 'utf8')) as Record<string, number>
let passedOnRetry = 0
for (const [file, count] of Object.entries(failureCounts)) {
  if (!canBeRetried(file)) continue
  const { TEST_FAILURES: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'src/testing/run.ts'), file], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) {
    console.log(`failed again: ${file}\n${stdout}${stderr}`)
    continue
  }
  passedOnRetry += count
  console.log(`flaky: ${file} failed, and passed when retried alone`)
  appendFileSync(join(ROOT, 'docs/flaky.md'), `- ${new Date().toISOString().slice(0, 10)} \`${file}\`\n`)
}
console.log(`passed on retry: ${passedOnRetry}`)
