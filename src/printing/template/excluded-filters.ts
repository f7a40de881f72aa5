/**
 * Filters of LiquidJS that templates have not: those that put out unescaped text, show the inside of objects, are for programs rather
 * than paper, or hold a piece of template of their own.
 */
export const WITHOUT = /^(?:raw|json|jsonify|inspect|base64_.*|sha256|hmac_sha256|sample|date_to_.*|.*_exp)$/
