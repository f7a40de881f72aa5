import assert from 'node:assert/strict'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { Compile } from 'typebox/compile'
import { problemSchema } from '../kit/definition/problem-schema.ts'
import { translateDatabaseError } from '../kit/request/constraint.ts'
import type { FieldErrorJson } from '../kit/request/errors.ts'
import { Problem, toProblemJson } from '../kit/request/problem.ts'
import { errorCodes, fillTemplate, type ParameterKind } from '../kit/values/message.ts'

const problem = Compile(problemSchema)

/** JSON type of each kind of parameter. */
const KIND_CHECKS: Record<ParameterKind, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  key: (value) => value === null || Number.isInteger(value) || typeof value === 'string',
  decimal: (value) => typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value),
  texts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  csv: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  integers: (value) => Array.isArray(value) && value.every((item) => Number.isInteger(item)),
  errors: (value) => Array.isArray(value) && value.every((item) => typeof item.code === 'string' && checkParameters(item)),
}

/** Asserts that the parameters of an error are those of its code, and of their kinds. */
function checkParameters({ code, parameters }: Pick<FieldErrorJson, 'code' | 'parameters'>): boolean {
  const definition = errorCodes.get(code)
  assert.ok(definition, `no catalogue has the error code ${code}`)
  assert.deepEqual(Object.keys(parameters).sort(), [...new Set(definition.parameters.map(({ name }) => name))].sort(), code)
  for (const { name, kind } of definition.parameters)
    assert.ok(
      KIND_CHECKS[kind](parameters[name]),
      `${code}: ${name} is not of the kind ${kind}: ${JSON.stringify(parameters[name])}`,
    )
  return true
}

/**
 * Registers checks of all application errors in the form of `application/problem+json`: against the published schema, and against the
 * catalogues.
 * @returns a function that checks the error of a response
 */
export function registerErrorChecks(app: FastifyInstance): (requestLine: string, response: LightMyRequestResponse) => void {
  const thrownProblems = new Map<string, Problem>()
  app.addHook('onError', async (request, _reply, error) => {
    const translated = translateDatabaseError(error)
    if (translated instanceof Problem) thrownProblems.set(request.id, translated)
  })
  return (requestLine, response) => {
    const id = String(response.headers['x-request-id'])
    const thrownProblem = thrownProblems.get(id)
    thrownProblems.delete(id)
    if (!thrownProblem || response.statusCode !== thrownProblem.status) return
    const body = JSON.parse(JSON.stringify(toProblemJson(thrownProblem, id, requestLine.startsWith('GET '))))
    assert.ok(
      problem.Check(body),
      `${requestLine}: ${JSON.stringify([...problem.Errors(body)][0])} in ${JSON.stringify(body).slice(0, 800)}`,
    )
    assert.ok(body.field_errors.length > 0, `${requestLine} has no error codes: ${JSON.stringify(body)}`)
    for (const error of body.field_errors as FieldErrorJson[]) {
      checkParameters(error)
      assert.ok(
        JSON.stringify(thrownProblem.body).includes(JSON.stringify(error.message).slice(1, -1)),
        `${requestLine}: ${error.message}`,
      )
      const { template = '' } = errorCodes.get(error.code) ?? {}
      const texts = fillTemplate(template, () => '\u0000').split('\u0000')
      assert.ok(
        texts.every((text) => error.message.includes(text)),
        `${requestLine}: ${error.code} has the message ${error.message}`,
      )
    }
  }
}
