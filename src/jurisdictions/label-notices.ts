/*
 * Notices that states ask for on labels of what is sold, for the owner to take up and change: a label's own words are a setting of the
 * shop. Only those are here whose words are known; a state that is missing has a notice of its own all the same.
 */

/** The words of a notice, and where they are from. */
export interface LabelNotice {
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
  CA: {
    words:
      'GOVERNMENT WARNING: THIS PACKAGE CONTAINS CANNABIS, A SCHEDULE I CONTROLLED SUBSTANCE. KEEP OUT OF REACH OF CHILDREN AND ANIMALS. CANNABIS MAY ONLY BE POSSESSED OR CONSUMED BY PERSONS 21 YEARS OF AGE OR OLDER UNLESS THE PERSON IS A QUALIFIED PATIENT. CANNABIS USE WHILE PREGNANT OR BREASTFEEDING MAY BE HARMFUL. CONSUMPTION OF CANNABIS IMPAIRS YOUR ABILITY TO DRIVE AND OPERATE MACHINERY. PLEASE USE EXTREME CAUTION.',
    citation: 'Business and Professions Code 26120(c)(1)(A)',
    confidence: 'high',
    besides: 'Manufactured products have a notice of their own, 26120(c)(1)(B).',
  },
  MA: {
    words: 'KEEP OUT OF REACH OF CHILDREN',
    citation: '935 CMR 500.105(6)(b)',
    confidence: 'medium',
    besides: 'For exit packages. What the product itself says comes from its maker.',
  },
  MI: {
    words:
      'WARNING: USE BY PREGNANT OR BREASTFEEDING WOMEN, OR BY WOMEN PLANNING TO BECOME PREGNANT, MAY RESULT IN FETAL INJURY, PRETERM BIRTH, LOW BIRTH WEIGHT, OR DEVELOPMENTAL PROBLEMS FOR THE CHILD.',
    citation: 'Acts 30 and 31 of 2020',
    confidence: 'medium',
    besides: '',
  },
};

/** The notice of a state, by its two letters; null: its words are not known here. */
export function labelNoticeOf(state: string): LabelNotice | null {
  return notices[state] ?? null;
}
