#!/usr/bin/env node
import '../dist/programs/main.js';
