import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { packageFile, ROOT } from '../../paths.ts'
import { createPluginSource, writePluginFiles } from '../../testing/plugins.ts'
import { waitUntil } from '../../testing/until.ts'

/** Returns the script of a process that runs plugins like the service, and prints their process ids. */
const createServiceScript = (entries: readonly { entry: string; folder: string }[]): string => `
  import { createChildRunner } from ${JSON.stringify(join(ROOT, 'src/plugin-host/child/in-child.ts'))}
  import { pino } from ${JSON.stringify(packageFile('pino'))}
  const run = createChildRunner({ memoryMegabytes: 256, log: pino({ level: 'silent' }) })
  const calls = { setting: async () => 1, log: (level, message) => console.log(message), read: async () => ({}), send: async () => ({}), async runLater() {} }
  for (const paths of ${JSON.stringify(entries)}) {
    const plugin = await run(paths, () => {})
    const { result } = await plugin.call('actions.pid', [null], calls, 10_000)
    console.log(result)
    if (plugin.manifest.actions.includes('busy')) plugin.call('actions.busy', [null], calls, 10_000).catch(() => {})
  }
  setInterval(() => {}, 1_000)
`

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('plugins end when the service is killed, whether they wait or are busy', async () => {
  const pid = 'pid: () => ({ result: process.pid })'
  const busy = `async busy(data, context) {
    context.log.info('busy')
    await new Promise((resolve) => setTimeout(resolve))
    for (;;) {}
  }`
  const pluginPaths = [
    writePluginFiles({ 'index.ts': createPluginSource(`actions: { ${pid} }`, 'setInterval(() => {}, 1_000)') }),
    writePluginFiles({ 'index.ts': createPluginSource(`actions: { ${pid}, ${busy} }`) }),
  ]
  const serviceProcess = spawn(process.execPath, ['--input-type=module', '-e', createServiceScript(pluginPaths)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pids: number[] = []
  after(() => {
    serviceProcess.kill('SIGKILL')
    for (const each of pids) if (isRunning(each)) process.kill(each, 'SIGKILL')
  })
  for await (const line of createInterface({ input: serviceProcess.stdout })) {
    if (line === 'busy') break
    pids.push(Number(line))
  }
  assert.equal(pids.length, 2)
  assert.ok(pids.every(isRunning))
  serviceProcess.kill('SIGKILL')
  await once(serviceProcess, 'exit')
  await waitUntil(() => !pids.some(isRunning), 'a plugin process is left', 4_000)
})
