"""The names of weakness classes, from the Common Weakness Enumeration (CWE) by MITRE.

The names are those of version 4.14 of the list. The table has the classes that our rules name."""

from __future__ import annotations

from functools import cache

_NAMES = """
14 Compiler Removal of Code to Clear Buffers
20 Improper Input Validation
22 Improper Limitation of a Pathname to a Restricted Directory ('Path Traversal')
23 Relative Path Traversal
36 Absolute Path Traversal
73 External Control of File Name or Path
74 Improper Neutralization of Special Elements in Output Used by a Downstream Component ('Injection')
77 Improper Neutralization of Special Elements used in a Command ('Command Injection')
78 Improper Neutralization of Special Elements used in an OS Command ('OS Command Injection')
79 Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting')
80 Improper Neutralization of Script-Related HTML Tags in a Web Page (Basic XSS)
88 Improper Neutralization of Argument Delimiters in a Command ('Argument Injection')
89 Improper Neutralization of Special Elements used in an SQL Command ('SQL Injection')
90 Improper Neutralization of Special Elements used in an LDAP Query ('LDAP Injection')
91 XML Injection (aka Blind XPath Injection)
93 Improper Neutralization of CRLF Sequences ('CRLF Injection')
94 Improper Control of Generation of Code ('Code Injection')
95 Improper Neutralization of Directives in Dynamically Evaluated Code ('Eval Injection')
96 Improper Neutralization of Directives in Statically Saved Code ('Static Code Injection')
98 Improper Control of Filename for Include/Require Statement in PHP Program ('PHP Remote File Inclusion')
113 Improper Neutralization of CRLF Sequences in HTTP Headers ('HTTP Request/Response Splitting')
116 Improper Encoding or Escaping of Output
117 Improper Output Neutralization for Logs
120 Buffer Copy without Checking Size of Input ('Classic Buffer Overflow')
121 Stack-based Buffer Overflow
122 Heap-based Buffer Overflow
125 Out-of-bounds Read
129 Improper Validation of Array Index
134 Use of Externally-Controlled Format String
155 Improper Neutralization of Wildcards or Matching Symbols
170 Improper Null Termination
185 Incorrect Regular Expression
190 Integer Overflow or Wraparound
191 Integer Underflow (Wrap or Wraparound)
193 Off-by-one Error
195 Signed to Unsigned Conversion Error
197 Numeric Truncation Error
200 Exposure of Sensitive Information to an Unauthorized Actor
203 Observable Discrepancy
208 Observable Timing Discrepancy
209 Generation of Error Message Containing Sensitive Information
214 Invocation of Process Using Visible Sensitive Information
215 Insertion of Sensitive Information Into Debugging Code
242 Use of Inherently Dangerous Function
243 Creation of chroot Jail Without Changing Working Directory
248 Uncaught Exception
250 Execution with Unnecessary Privileges
252 Unchecked Return Value
253 Incorrect Check of Function Return Value
256 Plaintext Storage of a Password
259 Use of Hard-coded Password
266 Incorrect Privilege Assignment
269 Improper Privilege Management
276 Incorrect Default Permissions
283 Unverified Ownership
285 Improper Authorization
287 Improper Authentication
290 Authentication Bypass by Spoofing
295 Improper Certificate Validation
306 Missing Authentication for Critical Function
312 Cleartext Storage of Sensitive Information
315 Cleartext Storage of Sensitive Information in a Cookie
319 Cleartext Transmission of Sensitive Information
321 Use of Hard-coded Cryptographic Key
323 Reusing a Nonce, Key Pair in Encryption
326 Inadequate Encryption Strength
327 Use of a Broken or Risky Cryptographic Algorithm
328 Use of Weak Hash
329 Generation of Predictable IV with CBC Mode
331 Insufficient Entropy
335 Incorrect Usage of Seeds in Pseudo-Random Number Generator (PRNG)
338 Use of Cryptographically Weak Pseudo-Random Number Generator (PRNG)
340 Generation of Predictable Numbers or Identifiers
346 Origin Validation Error
347 Improper Verification of Cryptographic Signature
352 Cross-Site Request Forgery (CSRF)
362 Concurrent Execution using Shared Resource with Improper Synchronization ('Race Condition')
367 Time-of-check Time-of-use (TOCTOU) Race Condition
369 Divide By Zero
377 Insecure Temporary File
384 Session Fixation
390 Detection of Error Condition Without Action
391 Unchecked Error Condition
395 Use of NullPointerException Catch to Detect NULL Pointer Dereference
396 Declaration of Catch for Generic Exception
400 Uncontrolled Resource Consumption
401 Missing Release of Memory after Effective Lifetime
404 Improper Resource Shutdown or Release
406 Insufficient Control of Network Message Volume (Network Amplification)
407 Inefficient Algorithmic Complexity
409 Improper Handling of Highly Compressed Data (Data Amplification)
414 Missing Lock Check
415 Double Free
416 Use After Free
426 Untrusted Search Path
434 Unrestricted Upload of File with Dangerous Type
454 External Initialization of Trusted Variables or Data Stores
457 Use of Uninitialized Variable
459 Incomplete Cleanup
462 Duplicate Key in Associative List (Alist)
467 Use of sizeof() on a Pointer Type
470 Use of Externally-Controlled Input to Select Classes or Code ('Unsafe Reflection')
476 NULL Pointer Dereference
477 Use of Obsolete Function
479 Signal Handler Use of a Non-reentrant Function
480 Use of Incorrect Operator
481 Assigning instead of Comparing
482 Comparing instead of Assigning
484 Omitted Break Statement in Switch
489 Active Debug Code
494 Download of Code Without Integrity Check
501 Trust Boundary Violation
502 Deserialization of Untrusted Data
521 Weak Password Requirements
522 Insufficiently Protected Credentials
532 Insertion of Sensitive Information into Log File
548 Exposure of Information Through Directory Listing
552 Files or Directories Accessible to External Parties
561 Dead Code
562 Return of Stack Variable Address
563 Assignment to Variable without Use
564 SQL Injection: Hibernate
565 Reliance on Cookies without Validation and Integrity Checking
570 Expression is Always False
571 Expression is Always True
572 Call to Thread run() instead of start()
581 Object Model Violation: Just One of Equals and Hashcode Defined
584 Return Inside Finally Block
590 Free of Memory not on the Heap
595 Comparison of Object References Instead of Object Contents
597 Use of Wrong Operator in String Comparison
598 Use of GET Request Method With Sensitive Query Strings
601 URL Redirection to Untrusted Site ('Open Redirect')
605 Multiple Binds to the Same Port
609 Double-Checked Locking
611 Improper Restriction of XML External Entity Reference
613 Insufficient Session Expiration
614 Sensitive Cookie in HTTPS Session Without 'Secure' Attribute
617 Reachable Assertion
620 Unverified Password Change
621 Variable Extraction Error
636 Not Failing Securely ('Failing Open')
639 Authorization Bypass Through User-Controlled Key
640 Weak Password Recovery Mechanism for Forgotten Password
643 Improper Neutralization of Data within XPath Expressions ('XPath Injection')
644 Improper Neutralization of HTTP Headers for Scripting Syntax
663 Use of a Non-reentrant Function in a Concurrent Context
667 Improper Locking
670 Always-Incorrect Control Flow Implementation
674 Uncontrolled Recursion
676 Use of Potentially Dangerous Function
681 Incorrect Conversion between Numeric Types
683 Function Call With Incorrect Order of Arguments
694 Use of Multiple Resources with Duplicate Identifier
697 Incorrect Comparison
698 Execution After Redirect (EAR)
704 Incorrect Type Conversion or Cast
730 OWASP Top Ten 2004 Category A9 - Denial of Service
732 Incorrect Permission Assignment for Critical Resource
749 Exposed Dangerous Method or Function
754 Improper Check for Unusual or Exceptional Conditions
755 Improper Handling of Exceptional Conditions
756 Missing Custom Error Page
758 Reliance on Undefined, Unspecified, or Implementation-Defined Behavior
759 Use of a One-Way Hash without a Salt
760 Use of a One-Way Hash with a Predictable Salt
762 Mismatched Memory Management Routines
770 Allocation of Resources Without Limits or Throttling
772 Missing Release of Resource after Effective Lifetime
776 Improper Restriction of Recursive Entity References in DTDs ('XML Entity Expansion')
777 Regular Expression without Anchors
780 Use of RSA Algorithm without OAEP
783 Operator Precedence Logic Error
787 Out-of-bounds Write
789 Memory Allocation with Excessive Size Value
798 Use of Hard-coded Credentials
807 Reliance on Untrusted Inputs in a Security Decision
822 Untrusted Pointer Dereference
827 Improper Control of Document Type Definition
829 Inclusion of Functionality from Untrusted Control Sphere
833 Deadlock
835 Loop with Unreachable Exit Condition ('Infinite Loop')
838 Inappropriate Encoding for Output Context
841 Improper Enforcement of Behavioral Workflow
843 Access of Resource Using Incompatible Type ('Type Confusion')
862 Missing Authorization
863 Incorrect Authorization
908 Use of Uninitialized Resource
915 Improperly Controlled Modification of Dynamically-Determined Object Attributes
916 Use of Password Hash With Insufficient Computational Effort
917 Improper Neutralization of Special Elements used in an Expression Language Statement ('Expression Language Injection')
918 Server-Side Request Forgery (SSRF)
939 Improper Authorization in Handler for Custom URL Scheme
941 Incorrectly Specified Destination in a Communication Channel
942 Permissive Cross-domain Policy with Untrusted Domains
943 Improper Neutralization of Special Elements in Data Query Logic
1004 Sensitive Cookie Without 'HttpOnly' Flag
1021 Improper Restriction of Rendered UI Layers or Frames
1022 Use of Web Link to Untrusted Target with window.opener Access
1064 Invokable Control Element with Signature Containing an Excessive Number of Parameters
1071 Empty Code Block
1079 Parent Class without Virtual Destructor Method
1121 Excessive McCabe Cyclomatic Complexity
1188 Initialization of a Resource with an Insecure Default
1204 Generation of Weak Initialization Vector (IV)
1236 Improper Neutralization of Formula Elements in a CSV File
1321 Improperly Controlled Modification of Object Prototype Attributes ('Prototype Pollution')
1333 Inefficient Regular Expression Complexity
1336 Improper Neutralization of Special Elements Used in a Template Engine
"""  # noqa: E501 - names are as the list has them

# Other words that people search for.
_ALSO_CALLED = """
22 directory traversal, local file inclusion (LFI), arbitrary file read
73 directory traversal
77 remote code execution (RCE), OS command injection
78 remote code execution (RCE), OS command injection, shell injection
79 XSS, script injection, HTML injection
89 SQLi
94 remote code execution (RCE), eval injection
95 remote code execution (RCE), eval injection
98 local file inclusion (LFI), remote file inclusion (RFI)
113 CRLF injection, response splitting
117 log forging, CRLF injection
120 buffer overrun
121 buffer overrun
122 buffer overrun
209 information disclosure, stack trace
285 broken access control
287 broken authentication
295 SSL, TLS, man in the middle (MITM)
306 broken authentication, broken access control
319 plaintext transmission, unencrypted
321 hard-coded secret
327 weak cryptography
328 weak cryptography, MD5, SHA-1
338 insecure randomness, weak PRNG
352 CSRF, XSRF
362 data race
367 TOCTOU
384 session hijacking
416 UAF
502 insecure deserialization, object injection
601 unvalidated redirect
611 XXE
639 IDOR, insecure direct object reference, broken access control, BOLA
787 buffer overflow
798 hard-coded password, secret, API key
862 broken access control
863 broken access control
915 mass assignment, overposting
916 weak password hash, key stretching
918 SSRF
943 NoSQL injection
1021 clickjacking
1321 prototype pollution
1333 ReDoS
1336 SSTI, template injection
"""


@cache
def _names() -> dict[str, str]:
    return _read(_NAMES)


@cache
def _also_called() -> dict[str, str]:
    return _read(_ALSO_CALLED)


def _read(table: str) -> dict[str, str]:
    rows = (line.split(maxsplit=1) for line in table.strip().splitlines())
    return {f"CWE-{number}": text for number, text in rows}


def weakness_name(cwe: str) -> str:
    """Return the name of a class such as `CWE-89`; empty if the table does not have it."""
    return _names().get(cwe, "")


def other_names(cwe: str) -> str:
    """Return other names of a class for searches, or an empty text if the table lacks it."""
    return _also_called().get(cwe, "")
