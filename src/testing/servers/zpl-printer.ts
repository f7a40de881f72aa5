import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

/** Starts a ZPL printer: it records received data except for status requests, and sends a configurable status. */
export async function startZplPrinter() {
  const printer = { text: '', connections: 0, paperOut: false, isSilent: false, port: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    printer.connections++
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      printer.text += text.replaceAll('~HS', '')
      if (!text.includes('~HS') || printer.isSilent) return
      const first = `030,${printer.paperOut ? 1 : 0},0,1245,000,0,0,0,000,0,0,0`
      socket.write(`\x02${first}\x03\r\n\x02000,0,0,0,0,2,6,0,00000000,1,000\x03\r\n\x021234,0\x03\r\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  printer.port = (server.address() as AddressInfo).port
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return printer
}

/** Extracts the images in ZPL, as rows of bits: 1 is black. */
export function extractImages(zpl: string): { width: number; copies: number; rows: string[] }[] {
  return [...zpl.matchAll(/\^XA\^PW(\d+)\^LL\d+\^LH0,0\^FO0,0\^GFA,(\d+),\2,(\d+),([^^]*)\^FS\^PQ(\d+)\^XZ/g)].map(
    ([, width, , bytes, data, copies]) => {
      const rows: string[] = []
      let row = ''
      let times = 0
      const digits = Number(bytes) * 2
      for (const letter of data as string) {
        if (letter === ':') rows.push(rows.at(-1) as string)
        else if (letter === ',') row = row.padEnd(digits, '0')
        else if (letter === '!') row = row.padEnd(digits, 'F')
        else if (letter >= 'G' && letter <= 'Y') times += letter.charCodeAt(0) - 70
        else if (letter >= 'g' && letter <= 'z') times += (letter.charCodeAt(0) - 102) * 20
        else {
          row += letter.repeat(times || 1)
          times = 0
        }
        if (row.length < digits) continue
        assert.equal(row.length, digits)
        rows.push(row)
        row = ''
      }
      const toBits = (text: string) => [...text].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
      return { width: Number(width), copies: Number(copies), rows: rows.map((hexRow) => toBits(hexRow).slice(0, Number(width))) }
    },
  )
}

/** A field of a ZPL format: its origin or baseline, its commands, and its data as read by a printer. */
export type ZplField = {
  originCommand: 'FO' | 'FT'
  x: number
  y: number
  commands: [name: string, parameters: string][]
  data: string
}

/** Extracts the fields of each format like a printer: a command begins with `^`, `_` and two digits of a field's data are a byte. */
export function extractFields(zpl: string): ZplField[][] {
  assert.ok(!zpl.includes('~'), 'no command for the printer itself')
  return zpl
    .split('^XA')
    .slice(1)
    .map((format) => {
      const commands = format.slice(0, format.indexOf('^XZ')).split('^').slice(1)
      const fields: ZplField[] = []
      let field: ZplField | undefined
      let isHex = false
      for (const command of commands) {
        const name = /^A\w/.test(command) ? 'A' : command.slice(0, 2)
        const rest = command.slice(name.length)
        if (name === 'FO' || name === 'FT') {
          const [x, y] = rest.split(',').map(Number) as [number, number]
          field = { originCommand: name, x, y, commands: [], data: '' }
        } else if (name === 'FH') isHex = true
        else if (name === 'FD' && field) field.data = isHex ? decodeHexBytes(rest) : rest
        else if (name === 'FS' && field) {
          fields.push(field)
          field = undefined
          isHex = false
        } else field?.commands.push([name, rest])
      }
      return fields
    })
}

const decodeHexBytes = (text: string): string =>
  Buffer.from(
    text.replaceAll(/_([\dA-F]{2})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  ).toString()
