import { errorCatalogue } from '../../kit/values/message.ts'

/** Errors of parameters of all kinds of objects, and of selection lists. */
export const parameterErrors = errorCatalogue('Parameters', {
  parameter_template_disabled: 'The template is disabled.',
  parameter_template_of_other_kind: 'Only objects of the kind {model_type} have parameters of this template.',
  parameter_value_taken: 'Another object already has this value, and values of {name} are unique.',
  parameter_template_in_use: 'A locked part has a parameter of this template.',
  parameter_template_kind_in_use: 'Objects of other kinds already have parameters of this template.',
  template_with_two_lists: 'A template cannot have both choices and a selection list.',
  checkbox_with_selection_list: 'A checkbox cannot have a selection list.',
  selection_list_name_taken: 'Another selection list already has this name.',
  selection_list_locked: 'The selection list is locked. Staff can unlock it.',
  selection_default_of_other_list: 'The default must be an entry of the list.',
})
