/*
 * Notices that states ask for on labels of what is sold, for the owner to take up and change: a label's own words are a setting of the
 * shop. Only those are here whose words are known; a state that is missing has a notice of its own all the same.
 */

/** The words of a notice, and where they are from. */
interface LabelNotice {
  readonly words: string;
  readonly citation: string;
  readonly confidence: 'high' | 'medium';
  /** What the words do not cover; empty: nothing is known. */
  readonly besides: string;
}

const notices: Readonly<Record<string, LabelNotice>> = {
  AK: {
    words: [
      'Marijuana has intoxicating effects and may be habit forming and addictive.',
      'Marijuana impairs concentration, coordination, and judgment. Do not operate a vehicle or machinery under its influence.',
      'There are health risks associated with consumption of marijuana.',
      'For use only by adults twenty-one and older. Keep out of the reach of children.',
      'Marijuana should not be used by women who are pregnant or breast feeding.',
    ].join('\n'),
    citation: '3 AAC 306.345(b)(3)',
    confidence: 'medium',
    besides: '',
  },
  AZ: {
    words:
      "ARIZONA DEPARTMENT OF HEALTH SERVICES' WARNING: Marijuana use can be addictive and can impair an individual's ability to drive a motor vehicle or operate heavy machinery. Marijuana smoke contains carcinogens and can lead to an increased risk for cancer, tachycardia, hypertension, heart attack, and lung infection. Marijuana use may affect the health of a pregnant woman and the unborn child. KEEP OUT OF REACH OF CHILDREN",
    citation: 'A.A.C. R9-18-310(A)(2)(f)',
    confidence: 'high',
    besides: '',
  },
  CA: {
    words:
      'GOVERNMENT WARNING: THIS PACKAGE CONTAINS CANNABIS, A SCHEDULE I CONTROLLED SUBSTANCE. KEEP OUT OF REACH OF CHILDREN AND ANIMALS. CANNABIS MAY ONLY BE POSSESSED OR CONSUMED BY PERSONS 21 YEARS OF AGE OR OLDER UNLESS THE PERSON IS A QUALIFIED PATIENT. CANNABIS USE WHILE PREGNANT OR BREASTFEEDING MAY BE HARMFUL. CONSUMPTION OF CANNABIS IMPAIRS YOUR ABILITY TO DRIVE AND OPERATE MACHINERY. PLEASE USE EXTREME CAUTION.',
    citation: 'Business and Professions Code 26120(c)(1)(A)',
    confidence: 'high',
    besides: 'Manufactured products have a notice of their own, 26120(c)(1)(B).',
  },
  CO: {
    words: [
      'Contains Marijuana. Keep out of the reach of children.',
      'There may be health risks associated with the consumption of this product.',
      'There may be additional health risks associated with the consumption of this product for women who are pregnant, breastfeeding, or planning on becoming pregnant.',
      'Do not drive or operate heavy machinery while using marijuana.',
    ].join('\n'),
    citation: '1 CCR 212-3, Rules 3-1010 and 3-1015',
    confidence: 'medium',
    besides: '',
  },
  IL: {
    words:
      'This product contains cannabis and is intended for use by adults 21 and over. Its use can impair cognition and may be habit forming. This product should not be used by pregnant or breastfeeding women. It is unlawful to sell or provide this item to any individual, and it may not be transported outside the State of Illinois. It is illegal to operate a motor vehicle while under the influence of cannabis. Possession or use of this product may carry significant legal penalties in some jurisdictions and under federal law.',
    citation: '410 ILCS 705/55-21',
    confidence: 'medium',
    besides: 'What is smoked, eaten or put on the skin has a statement of its own besides.',
  },
  MA: {
    words: 'KEEP OUT OF REACH OF CHILDREN',
    citation: '935 CMR 500.105(6)(b)',
    confidence: 'medium',
    besides: 'For exit packages. What the product itself says comes from its maker.',
  },
  MD: {
    words: [
      'The contents may only be lawfully consumed by a consumer 21 years old or older, or a registered medical cannabis patient.',
      'Consumption of cannabis may impair your ability to drive a car or operate machinery. Please use extreme caution.',
      'There may be health risks associated with cannabis use, especially if pregnant or breastfeeding.',
      'This package contains cannabis. Keep out of reach of children and animals.',
    ].join('\n'),
    citation: 'COMAR 14.17.18.03C(1)',
    confidence: 'high',
    besides: 'The telephone number of the Maryland Poison Center is asked for besides.',
  },
  MI: {
    words:
      'WARNING: USE BY PREGNANT OR BREASTFEEDING WOMEN, OR BY WOMEN PLANNING TO BECOME PREGNANT, MAY RESULT IN FETAL INJURY, PRETERM BIRTH, LOW BIRTH WEIGHT, OR DEVELOPMENTAL PROBLEMS FOR THE CHILD.',
    citation: 'Acts 30 and 31 of 2020',
    confidence: 'medium',
    besides: '',
  },
  MN: {
    words: 'Keep this product out of reach of children.',
    citation: 'Minnesota Statutes 342.63',
    confidence: 'medium',
    besides: 'The warning symbol of the state is asked for besides.',
  },
  MO: {
    words: 'Warning: Cognitive and physical impairment may result from the use of Marijuana',
    citation: '19 CSR 30-95.040(4)(K), now 19 CSR 100-1.120',
    confidence: 'medium',
    besides: '',
  },
  NJ: {
    words: [
      'This product contains cannabis.',
      'This product is intended for use by adults 21 years of age or older and not for resale. Keep out of the reach of children.',
    ].join('\n'),
    citation: 'N.J.A.C. 17:30-16.3',
    confidence: 'medium',
    besides: 'More statements, on risks to health, are asked for.',
  },
  NV: {
    words: [
      'THIS IS A CANNABIS PRODUCT',
      'This product may have intoxicating effects and may be habit forming.',
      'This product may be unlawful outside of the State of Nevada.',
    ].join('\n'),
    citation: 'NRS 678B.520; R092-17, section 225',
    confidence: 'medium',
    besides: '',
  },
  OH: {
    words: [
      'This product may cause impairment and may be habit-forming.',
      'This product may be unlawful outside of the State of Ohio.',
    ].join('\n'),
    citation: 'OAC 3796:6-3-09(A)',
    confidence: 'medium',
    besides: 'This is the rule for medical use.',
  },
  OR: {
    words: [
      'For use only by adults 21 and older. Keep out of reach of children.',
      'Do not drive a motor vehicle while under the influence of marijuana.',
    ].join('\n'),
    citation: 'OAR 845-025-7120(14)',
    confidence: 'medium',
    besides: 'For patients and for what is not eaten, the rule has other statements.',
  },
  VT: {
    words: ['CONTAINS THC', 'NOT SAFE FOR KIDS', 'KEEP OUT OF REACH OF CHILDREN'].join('\n'),
    citation: 'Cannabis Control Board, label warnings to Rule 2',
    confidence: 'medium',
    besides: '',
  },
};

/** The notice of a state, by its two letters; null: its words are not known here. */
export function labelNoticeOf(state: string): LabelNotice | null {
  return notices[state] ?? null;
}
