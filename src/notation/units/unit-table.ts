/** Base units, which cannot be expressed by others, with their names; a unit's dimension has an exponent for each. */
export const BASE_UNITS: readonly (readonly string[])[] = [
  ['meter', 'm', 'metre'],
  ['gram', 'g'],
  ['second', 's', 'sec'],
  ['ampere', 'A', 'amp'],
  ['kelvin', 'K', 'Kelvin', 'degK', '°K', 'degree_Kelvin'],
  ['mole', 'mol'],
  ['candela', 'cd'],
  ['pixel', 'dot', 'pel'],
  // Levels are not linear factors of other units, so each is compatible with itself alone.
  ['decibel', 'dB'],
  ['decibelmilliwatt', 'dBm'],
]

const PI = '3.141592653589793238462643383279502884197'

/** Numbers and pieces: they may count any other unit, as in two dozen meters. */
export const COUNTING_UNITS: readonly (readonly [definition: string, ...names: string[]])[] = [
  ['1', 'count'],
  ['1', 'dimensionless'],
  ['1', 'piece', 'pcs', 'pc'],
  ['1', 'each', 'ea'],
  ['12', 'dozen', 'dz'],
  ['100', 'hundred'],
  ['1000', 'thousand'],
]

/**
 * Commonly known units: the size of one, in units above it, and its names. Names are case-sensitive; each takes a prefix, and those of
 * three letters and more an s for the plural.
 */
export const STANDARD_UNITS: readonly (readonly [definition: string, ...names: string[]])[] = [
  // Numbers
  ['1', 'radian', 'rad'],
  ['0.01', 'percent', '%'],
  ['0.001', 'permille', '‰'],
  ['1e-6', 'ppm'],
  ['1e-9', 'ppb'],
  ['1', 'bit'],
  ['8 bit', 'byte', 'B', 'octet'],

  // Angle
  [`2 * ${PI} radian`, 'turn', 'revolution', 'cycle', 'circle'],
  ['turn / 360', 'degree', 'deg', 'arcdeg', '°'],
  ['degree / 60', 'arcminute', 'arcmin'],
  ['arcminute / 60', 'arcsecond', 'arcsec'],
  ['turn / 400', 'grade', 'grad', 'gon'],
  ['radian^2', 'steradian', 'sr'],

  // Length
  ['0.0254 m', 'inch', 'in', 'inches'],
  ['0.001 inch', 'thou', 'mil', 'th'],
  ['12 inch', 'foot', 'ft', 'feet'],
  ['3 foot', 'yard', 'yd'],
  ['1760 yard', 'mile', 'mi'],
  ['1852 m', 'nautical_mile', 'nmi'],
  ['4 inch', 'hand'],
  ['660 foot', 'furlong'],
  ['6 foot', 'fathom'],
  ['1e-10 m', 'angstrom', 'ångström', 'Å'],
  ['1e-6 m', 'micron'],
  ['149597870700 m', 'astronomical_unit', 'au'],
  ['9460730472580800 m', 'light_year', 'ly'],
  ['inch / 72', 'point'],
  ['inch / 6', 'pica'],

  // Area
  ['100 m^2', 'are'],
  ['100 are', 'hectare', 'ha'],
  ['43560 foot^2', 'acre'],
  ['inch^2', 'square_inch', 'sq_in', 'sqin'],
  ['foot^2', 'square_foot', 'sq_ft', 'sqft', 'square_feet'],
  ['yard^2', 'square_yard', 'sq_yd'],
  ['mile^2', 'square_mile', 'sq_mi'],

  // Volume
  ['0.001 m^3', 'liter', 'l', 'L', 'litre', 'ℓ'],
  ['1e-6 m^3', 'cubic_centimeter', 'cc', 'ccm'],
  ['inch^3', 'cubic_inch', 'cu_in'],
  ['foot^3', 'cubic_foot', 'cu_ft', 'cubic_feet'],
  ['yard^3', 'cubic_yard', 'cu_yd'],
  ['231 inch^3', 'gallon', 'gal', 'US_gallon'],
  ['gallon / 4', 'quart', 'qt'],
  ['quart / 2', 'pint', 'pt'],
  ['pint / 2', 'cup'],
  ['pint / 16', 'fluid_ounce', 'floz', 'fl_oz'],
  ['fluid_ounce / 2', 'tablespoon', 'tbsp'],
  ['fluid_ounce / 6', 'teaspoon', 'tsp'],
  ['42 gallon', 'oil_barrel', 'oil_bbl'],
  ['31.5 gallon', 'barrel', 'bbl'],
  ['4.54609 liter', 'imperial_gallon', 'imperial_gal', 'UK_gallon'],
  ['imperial_gallon / 8', 'imperial_pint', 'imperial_pt', 'UK_pint'],
  ['imperial_pint / 20', 'imperial_fluid_ounce', 'imperial_floz', 'UK_fluid_ounce'],

  // Mass
  ['1e6 gram', 'metric_ton', 't', 'tonne'],
  ['453.59237 gram', 'pound', 'lb', 'lbs'],
  ['pound / 16', 'ounce', 'oz'],
  ['pound / 7000', 'grain', 'gr'],
  ['14 pound', 'stone'],
  ['100 pound', 'hundredweight', 'cwt'],
  ['2000 pound', 'ton', 'short_ton'],
  ['2240 pound', 'long_ton'],
  ['480 grain', 'troy_ounce', 'toz', 'ozt'],
  ['0.2 gram', 'carat', 'ct'],

  // Time, frequency, speed
  ['60 second', 'minute', 'min'],
  ['60 minute', 'hour', 'h', 'hr'],
  ['24 hour', 'day', 'd'],
  ['7 day', 'week'],
  ['14 day', 'fortnight'],
  ['365.25 day', 'year', 'yr'],
  ['year / 12', 'month'],
  ['100 year', 'century', 'centuries'],
  ['1 / second', 'hertz', 'Hz'],
  ['turn / minute', 'revolutions_per_minute', 'rpm'],
  ['turn / second', 'revolutions_per_second', 'rps'],
  ['1 / second', 'counts_per_second', 'cps'],
  ['bit / second', 'baud', 'Bd', 'bps'],
  ['mile / hour', 'mile_per_hour', 'mph'],
  ['1000 m / hour', 'kilometer_per_hour', 'kph'],
  ['m / second', 'meter_per_second', 'mps'],
  ['nautical_mile / hour', 'knot', 'kn'],
  ['foot / second', 'foot_per_second', 'fps'],

  // Force, pressure
  ['1000 gram m / second^2', 'newton', 'N'],
  ['1e-5 newton', 'dyne', 'dyn'],
  ['9.80665 m / second^2', 'standard_gravity', 'g_0', 'g_n'],
  ['1000 gram g_0', 'force_kilogram', 'kgf', 'kilogram_force'],
  ['gram g_0', 'force_gram', 'gf', 'gram_force'],
  ['pound g_0', 'force_pound', 'lbf', 'pound_force'],
  ['ounce g_0', 'force_ounce', 'ozf', 'ounce_force'],
  ['newton / m^2', 'pascal', 'Pa'],
  ['1e5 pascal', 'bar'],
  ['101325 pascal', 'atmosphere', 'atm'],
  ['atmosphere / 760', 'torr', 'Torr'],
  ['133.322387415 pascal', 'millimeter_Hg', 'mmHg'],
  ['force_pound / inch^2', 'pound_force_per_square_inch', 'psi'],
  ['1000 psi', 'kip_per_square_inch', 'ksi'],

  // Energy, power
  ['newton m', 'joule', 'J'],
  ['1e-7 joule', 'erg'],
  ['joule / second', 'watt', 'W'],
  ['watt hour', 'watt_hour', 'Wh'],
  ['1.602176634e-19 joule', 'electron_volt', 'eV'],
  ['4.184 joule', 'calorie', 'cal'],
  ['1055.056 joule', 'british_thermal_unit', 'Btu', 'BTU'],
  ['watt', 'volt_ampere', 'VA'],
  ['watt', 'volt_ampere_reactive', 'var'],
  ['550 foot force_pound / second', 'horsepower', 'hp'],
  ['735.49875 watt', 'metric_horsepower', 'PS'],
  ['foot force_pound', 'foot_pound', 'ft_lb'],

  // Electricity, magnetism
  ['ampere second', 'coulomb', 'C'],
  ['ampere hour', 'ampere_hour', 'Ah'],
  ['joule / coulomb', 'volt', 'V'],
  ['volt / ampere', 'ohm', 'Ω', 'Ohm'],
  ['ampere / volt', 'siemens', 'S', 'mho'],
  ['coulomb / volt', 'farad', 'F'],
  ['volt second', 'weber', 'Wb'],
  ['weber / ampere', 'henry', 'H', 'henries'],
  ['weber / m^2', 'tesla', 'T'],
  ['1e-4 tesla', 'gauss'],
  ['ampere', 'ampere_turn', 'At'],

  // Temperature; degrees with other zero points follow below
  ['5 kelvin / 9', 'delta_degree_Fahrenheit', 'delta_degF', 'degree_Rankine', 'rankine', 'degR', '°R'],
  ['kelvin', 'delta_degree_Celsius', 'delta_degC'],

  // Light, radiation, chemistry, flow
  ['candela steradian', 'lumen', 'lm'],
  ['lumen / m^2', 'lux', 'lx'],
  ['candela / m^2', 'nit'],
  ['1 / second', 'becquerel', 'Bq'],
  ['3.7e10 becquerel', 'curie', 'Ci'],
  ['joule / (1000 gram)', 'gray', 'Gy'],
  ['joule / (1000 gram)', 'sievert', 'Sv'],
  ['mole / liter', 'molar', 'M'],
  ['mole / second', 'katal', 'kat'],
  ['0.1 pascal second', 'poise', 'P'],
  ['1e-4 m^2 / second', 'stokes', 'St'],
  ['pixel / inch', 'pixels_per_inch', 'ppi', 'dpi', 'dots_per_inch'],
]

/** Temperatures with their own zero point: the size of a degree, the zero point in kelvin, and the names. */
export const TEMPERATURES: readonly (readonly [degree: string, zero: string, ...names: string[]])[] = [
  ['kelvin', '273.15 kelvin', 'degree_Celsius', 'celsius', 'Celsius', 'degC', '°C'],
  ['delta_degF', '459.67 delta_degF', 'degree_Fahrenheit', 'fahrenheit', 'Fahrenheit', 'degF', '°F'],
]

/** Prefixes as powers of ten, by symbol and by name. */
export const PREFIXES: ReadonlyMap<string, number> = new Map([
  ['q', -30],
  ['quecto', -30],
  ['r', -27],
  ['ronto', -27],
  ['y', -24],
  ['yocto', -24],
  ['z', -21],
  ['zepto', -21],
  ['a', -18],
  ['atto', -18],
  ['f', -15],
  ['femto', -15],
  ['p', -12],
  ['pico', -12],
  ['n', -9],
  ['nano', -9],
  ['μ', -6],
  ['u', -6],
  ['micro', -6],
  ['m', -3],
  ['milli', -3],
  ['c', -2],
  ['centi', -2],
  ['d', -1],
  ['deci', -1],
  ['da', 1],
  ['deca', 1],
  ['deka', 1],
  ['h', 2],
  ['hecto', 2],
  ['k', 3],
  ['kilo', 3],
  ['M', 6],
  ['mega', 6],
  ['G', 9],
  ['giga', 9],
  ['T', 12],
  ['tera', 12],
  ['P', 15],
  ['peta', 15],
  ['E', 18],
  ['exa', 18],
  ['Z', 21],
  ['zetta', 21],
  ['Y', 24],
  ['yotta', 24],
  ['R', 27],
  ['ronna', 27],
  ['Q', 30],
  ['quetta', 30],
])

/** Binary prefixes of information units, as powers of two. */
export const BINARY_PREFIXES: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['kibi', 10],
  ['Mi', 20],
  ['mebi', 20],
  ['Gi', 30],
  ['gibi', 30],
  ['Ti', 40],
  ['tebi', 40],
])
