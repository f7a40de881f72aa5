import { VERSION } from '../version.ts'
import { type Check, error, ok } from './check.ts'

/** The first version of Node that runs the program; `stockroom.js` has the same. */
const MIN_NODE = 24

export const versionsCheck: Check = {
  name: 'versions',
  title: 'Versions',
  run() {
    const { node } = process.versions
    const message = `Stockroom ${VERSION} on Node ${node}, ${process.platform} ${process.arch}`
    return Number.parseInt(node, 10) >= MIN_NODE ? [ok(message)] : [error(message, `Run it with Node ${MIN_NODE} or newer.`)]
  },
}
