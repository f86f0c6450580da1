/** The value that would be at a place if they were in order, which they come closer to (quickselect; Hoare, 1961). */
export function selectNth(values: Float64Array, place: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let [left, right] = [low, high];
    while (left <= right) {
      while (values[left]! < pivot) left++;
      while (values[right]! > pivot) right--;
      if (left > right) break;
      const kept = values[left]!;
      values[left++] = values[right]!;
      values[right--] = kept;
    }
    if (place <= right) high = right;
    else if (place >= left) low = left;
    else break;
  }
  return values[place]!;
}
