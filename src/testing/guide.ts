import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ROOT } from '../paths.ts'
import { childEnvironment } from './child-environment.ts'
import { findFreePort } from './free-port.ts'
import { scaleTimeout } from './slowness.ts'

/** A block of a page: commands to run, or a file that the reader writes. */
export type GuideBlock = {
  /** The line of the page where it begins. */
  line: number
  text: string
  /** The name of the file. */
  file?: string
  /** The status that the requests of its commands get, if that is an error. */
  status?: number
  /** Whether the page says that the service is stopped before. */
  isStopped?: boolean
  /** The reason why a test does not run its commands. */
  notRun?: string
}

/** The words that may follow `sh` at the head of a block; `docs/development.md` describes it. */
const REMARK = /^(?:not run: (?<reason>\S.+)|responds (?<status>[45]\d\d)|service (?<stopped>stopped))?$/

/**
 * Reads the blocks of a page that a test runs or writes, in their order.
 * @throws Error for a remark that has no meaning
 */
export function readGuideBlocks(page: string): GuideBlock[] {
  const blocks = page.matchAll(/^(?<indent> *)```(?<language>\w+) *(?<remark>.*)\n(?<body>[\s\S]*?)^ *```$/gm)
  return [...blocks].flatMap((match) => {
    const { indent = '', language, remark = '', body = '' } = match.groups ?? {}
    const block = {
      line: page.slice(0, match.index).split('\n').length,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }
    if (language !== 'sh') return remark === '' ? [] : { ...block, file: remark }
    const groups = REMARK.exec(remark)?.groups
    if (!groups) throw new Error(`line ${block.line}: "sh ${remark}" has no meaning`)
    const { reason, status, stopped } = groups
    if (reason !== undefined) return { ...block, notRun: reason }
    return {
      ...block,
      ...(status !== undefined && { status: Number(status) }),
      ...(stopped !== undefined && { isStopped: true }),
    }
  })
}

/** Folders and files that pages name, which are below the folder of the test there. */
const ELSEWHERE = /(?<=[ ='"])\/(?=elsewhere|mnt\/|var\/lib\/|etc\/ssl\/|path\/to\/)/g

/**
 * Shell functions in place of the programs that pages name. `npm start` returns once the service is open, and ends the service that an
 * earlier command started, as Ctrl+C does. `npm ci` does nothing: `src/console-bundle/install.test.ts` runs it. An empty database and
 * demo data are made once, and copied for all pages: that takes a tenth of the time. A request fails unless it gets the status that the
 * page says.
 */
const FUNCTIONS = `
set -emo pipefail
service=
stop() {
  [ -n "$service" ] || return 0
  kill -TERM -- "-$service"
  wait "$service" || true
  service=
}
trap stop EXIT
npm() {
  local data="\${DATA_DIR:-data}"
  case "$*" in
    ci) ;;
    start)
      stop
      if [ ! -e "$data" ]; then
        [ -d "$GUIDE_DATA/empty" ] || DATA_DIR="$GUIDE_DATA/empty" command npx stockroom migrate
        cp -a "$GUIDE_DATA/empty" "$data"
      fi
      # the log of the former service says that it is open, until the new one truncates it
      : >"$GUIDE/log"
      command npm start >"$GUIDE/log" 2>&1 &
      service=$!
      until grep -q '"msg":"Open ' "$GUIDE/log"; do
        kill -0 "$service" || { cat "$GUIDE/log"; return 1; }
        sleep 0.1
      done ;;
    'run demo')
      if [ -d "$GUIDE_DATA/demo" ]; then
        rm -rf "$data" && cp -a "$GUIDE_DATA/demo" "$data"
      else
        command npm run demo && cp -a "$data" "$GUIDE_DATA/demo"
      fi ;;
    *) command npm "$@" ;;
  esac
}
curl() {
  command curl -D "$GUIDE/headers" "$@" || return
  local status
  status=$(sed -n 's/^HTTP[^ ]* \\([0-9]*\\).*/\\1/p' "$GUIDE/headers" | tail -n 1)
  if [ -n "$expected" ]; then [ "$status" = "$expected" ]; else [ "$status" -lt 400 ]; fi || {
    echo "curl $*: status $status" >&2
    return 22
  }
}
`

/**
 * A folder in which the commands of pages are run, with a clone for each page.
 * @param prepare puts the files into the clone that the pages expect there
 */
export class GuideRunner {
  readonly #folder = mkdtempSync(join(tmpdir(), 'stockroom-guides-'))
  readonly #prepare: (clone: string) => void | Promise<void>

  constructor(prepare: (clone: string) => void | Promise<void> = () => {}) {
    this.#prepare = prepare
  }

  /**
   * Runs the blocks of a page in one shell, in a new clone with no data, from first to last.
   * @throws Error that names the line of the block whose commands failed, with all output
   */
  async run(name: string, blocks: readonly GuideBlock[]): Promise<void> {
    const guide = join(this.#folder, name.replaceAll(/\W/g, '-'))
    const clone = join(guide, 'clone')
    mkdirSync(clone, { recursive: true })
    for (const entry of readdirSync(ROOT))
      if (!['data', '.git'].includes(entry)) symlinkSync(join(ROOT, entry), join(clone, entry))
    await this.#prepare(clone)

    const ports = { 8000: await findFreePort(), 8080: await findFreePort(), 8443: await findFreePort() }
    const script = blocks.filter(({ notRun }) => notRun === undefined).map((block) => toScript(block, guide, ports))
    writeFileSync(join(guide, 'page.sh'), FUNCTIONS + script.join(''))
    const shell = spawn('bash', [join(guide, 'page.sh')], {
      cwd: clone,
      env: { ...childEnvironment, HOME: guide, GUIDE: guide, GUIDE_DATA: this.#folder, PORT: String(ports[8000]) },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: scaleTimeout(300_000),
    })
    const exit = new Promise((resolve) => shell.once('exit', (code, signal) => resolve(code ?? signal)))
    const [output, errors, code] = await Promise.all([text(shell.stdout), text(shell.stderr), exit])
    if (code === 0) return
    const log = existsSync(join(guide, 'log')) ? readFileSync(join(guide, 'log'), 'utf8').split('\n').slice(-10).join('\n') : ''
    const line = output.match(/(?<=^:: )line \d+$/gm)?.at(-1)
    throw new Error(`${name}, ${line}: ended with ${code}\n${output.slice(-3000)}\n${errors.slice(-3000)}\n${log}`)
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20 })
  }
}

/** The commands of a block, on ports and in folders of the test, and on this machine only; or those that write its file. */
function toScript(block: GuideBlock, folder: string, ports: Record<string, number>): string {
  const start = `\necho; echo ':: line ${block.line}'; expected=${block.status ?? ''}\n`
  if (block.file !== undefined)
    return `${start}mkdir -p "$(dirname '${block.file}')"\ncat >'${block.file}' <<'END OF FILE'\n${block.text}END OF FILE\n`
  const commands = block.text
    .replaceAll(/\b(8000|8080|8443)\b/g, (port) => String(ports[port]))
    .replaceAll('HOST=0.0.0.0', 'HOST=127.0.0.1')
    .replaceAll('192.168.1.50', '127.0.0.1')
    .replaceAll(ELSEWHERE, `${folder}/`)
  return `${start}${block.isStopped ? 'stop\n' : ''}${commands}`
}
