/**
 * LiquidJS filters that templates do not have: those that output unescaped text, show the inside of objects, are for programs rather than
 * paper, or contain a piece of template of their own.
 */
export const EXCLUDED_FILTERS = /^(?:raw|json|jsonify|inspect|base64_.*|sha256|hmac_sha256|sample|date_to_.*|.*_exp)$/
