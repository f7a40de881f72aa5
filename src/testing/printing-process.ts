import { pino } from 'pino'
import { loadConfig } from '../config.ts'
import { ChromiumPrinter } from '../printing/browser/printer.ts'

// A process that prints, and that a test kills: after it has printed (`idle`), or while the browser prints a long document (`busy`).

const printer = new ChromiumPrinter({ config: loadConfig(), log: pino({ level: 'silent' }) })
const page = { width: 62, height: 29 }
await printer.pdf({ html: 'Text', resource: async () => undefined, page })
if (process.argv[2] === 'busy') {
  const html = `<img src="x">${'<div style="break-after: page">page <table><tr><td>cell</table></div>'.repeat(200_000)}`
  const resource = async () => {
    console.log('printing')
    return undefined
  }
  await printer.pdf({ html, resource, page })
} else {
  console.log('printing')
}
setInterval(() => {}, 60_000)
