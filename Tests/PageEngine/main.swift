// SPDX-License-Identifier: Apache-2.0
// The page's engine as a native program: a request a line, an answer a line. Scripts/web compares the module with it.
import EMVPage

while let line = readLine() { print(PageEngine.answer(Array(line.utf8))) }
