import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Schema from 'typebox/schema'
import { parse } from 'yaml'
import { ROOT } from '../../paths.ts'

/** The parts of a service in a compose file that the files of this repository use. */
export type ComposeService = {
  image: string
  environment: Record<string, string>
  ports?: string[]
  volumes?: string[]
  networks?: Record<string, { ipv4_address?: string } | null>
}

export type ComposeFile = { services: Record<string, ComposeService>; volumes: Record<string, object | null> }

const SCHEMA = join(ROOT, 'src/testing/container/compose-schema/compose-spec.json')
const schema = Schema.Compile(JSON.parse(readFileSync(SCHEMA, 'utf8')))

/** The problems of a compose file by the schema of its specification, in JSON; none if it is valid. */
export function validateCompose(document: unknown): string[] {
  const [, errors] = schema.Errors(document)
  return errors.map((error) => JSON.stringify(error))
}

/** Parses a compose file of the repository, without its variables. */
export const parseCompose = (path: string): unknown => parse(readFileSync(join(ROOT, path), 'utf8'))

/**
 * Reads compose files as `docker compose -f A -f B` does: later ones extend earlier ones, and variables get their values.
 * @param variables the content of `.env`
 * @throws Error with the message of a variable that must have a value
 */
export function readCompose(paths: readonly string[], variables: Record<string, string>): ComposeFile {
  const documents = paths.map((path) => interpolate(parseCompose(path), variables))
  return documents.reduce<unknown>(merge, {}) as ComposeFile
}

function interpolate(value: unknown, variables: Record<string, string>): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\$(?:\$|\{(\w+)(?::([-?])([^}]*))?\})/g, (_, name?: string, kind?: string, text = '') => {
      if (name === undefined) return '$'
      const content = variables[name]
      if (content) return content
      if (kind === '?') throw new Error(`${name}: ${text}`)
      return text
    })
  if (Array.isArray(value)) return value.map((item) => interpolate(item, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolate(item, variables)]))
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function merge(base: unknown, more: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(more)) return [...base, ...more]
  if (!isMapping(base) || !isMapping(more)) return more
  const merged = { ...base }
  for (const [key, value] of Object.entries(more)) merged[key] = key in base ? merge(base[key], value) : value
  return merged
}
