import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listVariables } from '../../../../printing/context/variables.ts'
import { TEMPLATE_MODEL_NAMES, TEMPLATE_MODELS } from '../../../../printing/kinds.ts'
import { variableTexts } from './variable-texts.ts'

describe('the German texts of the variables of templates', () => {
  it('are complete, and none is left over', () => {
    const kinds = TEMPLATE_MODEL_NAMES.flatMap((model) => Object.values(TEMPLATE_MODELS[model]))
    const texts = new Set(kinds.flatMap((kind) => Object.values(listVariables(kind)).map(({ about }) => about)))
    assert.deepEqual(Object.keys(variableTexts).toSorted(), [...texts].toSorted())
  })
})
