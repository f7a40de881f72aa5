/**
 * LiquidJS filters that templates do not have: those that output unescaped text, expose the internals of objects, produce data for programs,
 * or take template code as an argument.
 */
export const EXCLUDED_FILTERS = /^(?:raw|json|jsonify|inspect|base64_.*|sha256|hmac_sha256|sample|date_to_.*|.*_exp)$/
